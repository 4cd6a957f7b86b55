package toystore.reference;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// An empty Spring MVC controller in the container of the frontend, with virtual threads as there,
/// but without metrics and filters.
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({
  TomcatServletWebServerAutoConfiguration.class,
  DispatcherServletAutoConfiguration.class,
  WebMvcAutoConfiguration.class,
  HttpMessageConvertersAutoConfiguration.class
})
@RestController
public class MvcFloor {
  public static void main(String[] args) {
    var application = new SpringApplication(MvcFloor.class);
    application.setDefaultProperties(
        Map.of(
            "server.address", "127.0.0.1",
            "server.port", "0",
            "server.tomcat.max-keep-alive-requests", "-1",
            "server.tomcat.processor-cache", "256",
            "spring.threads.virtual.enabled", "true",
            "spring.main.banner-mode", "off"));
    var context = application.run(args);
    System.out.println(
        "ready http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
  }

  @GetMapping("/empty")
  String empty() {
    return "{}";
  }
}
