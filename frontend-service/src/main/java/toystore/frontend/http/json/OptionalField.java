package toystore.frontend.http.json;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.OptBoolean;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/// A field of a JSON body that may be absent, but not null. A field that may be null as well has
/// `@JsonSetter(nulls = SET)` instead.
@JacksonAnnotationsInside
@JacksonInject(optional = OptBoolean.TRUE) // an absent value is injected, and there is none
@Retention(RetentionPolicy.RUNTIME)
public @interface OptionalField {}
