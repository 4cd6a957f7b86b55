package toystore.frontend.http.json;

import jakarta.validation.constraints.Min;

/// The body of a request that adds or removes so many units.
public record Units(@Min(value = 1, message = Expected.COUNT) int quantity) {}
