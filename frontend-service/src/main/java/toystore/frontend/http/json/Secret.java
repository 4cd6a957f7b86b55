package toystore.frontend.http.json;

import jakarta.validation.Payload;

/// The payload of constraints on values that an error must not quote, such as a password.
public interface Secret extends Payload {}
