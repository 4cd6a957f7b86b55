-- Purchases that were not sold are deleted a day after they began.
CREATE INDEX unsold_purchase ON purchase (begun_at) WHERE state IN ('DECLINED', 'VOIDED');
