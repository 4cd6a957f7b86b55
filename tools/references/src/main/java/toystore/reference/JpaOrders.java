package toystore.reference;

import org.springframework.data.jpa.repository.JpaRepository;

interface JpaOrders extends JpaRepository<JpaOrder, Long> {}
