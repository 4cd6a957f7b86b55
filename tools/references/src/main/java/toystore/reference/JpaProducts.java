package toystore.reference;

import jakarta.persistence.LockModeType;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;

interface JpaProducts extends JpaRepository<JpaProduct, String> {
  /// Locks the row until the transaction ends.
  @Lock(LockModeType.PESSIMISTIC_WRITE)
  Optional<JpaProduct> findLockedByName(String name);
}
