package toystore.gatling;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// A Java agent that delays a method of a service by 5 ms, to test where the lab attributes the
/// time.
public final class PlantedDelay implements ClassFileTransformer {
  static final int MILLIS = 5;

  private final String type;
  private final String method;

  private PlantedDelay(String type, String method) {
    this.type = type;
    this.method = method;
  }

  /// Called by the JVM before `main`.
  ///
  /// @param where such as `toystore/order/OrderRpc.placeOrder`
  public static void premain(String where, Instrumentation jvm) {
    int dot = where.indexOf('.');
    jvm.addTransformer(new PlantedDelay(where.substring(0, dot), where.substring(dot + 1)));
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      String className,
      @Nullable Class<?> before,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (!className.equals(type)) {
      return null;
    }
    var classes = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(_ -> null));
    return classes.transformClass(
        classes.parse(classFile),
        ClassTransform.transformingMethodBodies(
            it -> it.methodName().equalsString(method), new Wait()));
  }

  private static final class Wait implements CodeTransform {
    @Override
    public void atStart(CodeBuilder code) {
      code.loadConstant((long) MILLIS)
          .invokestatic(
              ClassDesc.of("java.lang.Thread"), "sleep", MethodTypeDesc.ofDescriptor("(J)V"));
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }

  /// Writes the agent as a jar.
  static Path jar(Path folder) throws IOException {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", PlantedDelay.class.getName());
    Path jar = folder.resolve("planted-delay.jar");
    try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (String name : new String[] {"PlantedDelay", "PlantedDelay$Wait"}) {
        out.putNextEntry(new JarEntry("toystore/gatling/" + name + ".class"));
        try (var in = PlantedDelay.class.getResourceAsStream(name + ".class")) {
          java.util.Objects.requireNonNull(in).transferTo(out);
        }
        out.closeEntry();
      }
    }
    return jar;
  }
}
