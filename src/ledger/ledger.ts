import type { ActionLedger } from './actions/action-ledger.ts';
import type { BackfillLedger } from './backfill/backfill-ledger.ts';
import type { ConsoleLedger } from './console/console-ledger.ts';
import type { AuditLedger } from './links/audit-ledger.ts';
import type { LinkLedger } from './links/link-ledger.ts';
import type { CatalogLedger } from './mirror/catalog-ledger.ts';
import type { MirrorLedger } from './mirror/mirror-ledger.ts';
import type { NewsLedger } from './mirror/news-ledger.ts';
import type { NoticeLedger } from './notices/notice-ledger.ts';
import type { PlanLedger } from './plans/plan-ledger.ts';
import type { LaneLedger } from './queue/lane-ledger.ts';
import type { QueueLedger } from './queue/queue-ledger.ts';
import type { WaitingLedger } from './queue/waiting-ledger.ts';
import type { BudgetLedger, PauseLedger, QuotaLedger } from './quota/quota-ledger.ts';
import type { StatsLedger } from './stats/stats-ledger.ts';
import type { ShardLedger } from './streams/shard-ledger.ts';
import type { StreamLedger } from './streams/stream-ledger.ts';
import type { KeyLedger } from './tenants/key-ledger.ts';
import type { MappingLedger } from './tenants/mapping-ledger.ts';
import type { TenantLedger } from './tenants/tenant-ledger.ts';
import type { UndoLedger } from './undo/undo-ledger.ts';
import type { UpkeepLedger } from './upkeep/upkeep-ledger.ts';

/**
 * The ledger (Lockstep's PostgreSQL database) with all its parts. Code that needs only one part takes the interface of that part. A call
 * names its tenant first and touches no other tenant's rows; `ACROSS_TENANTS` (`open.ts`) lists the calls that are different. Values of
 * business records are encrypted before PostgreSQL gets them, for example last agreed values (bases), observations, plans and journal
 * values. Instants are ISO strings. The caller passes the present time.
 */
export type Ledger = LinkLedger &
  AuditLedger &
  PlanLedger &
  QueueLedger &
  LaneLedger &
  WaitingLedger &
  StreamLedger &
  ShardLedger &
  MirrorLedger &
  NewsLedger &
  CatalogLedger &
  QuotaLedger &
  PauseLedger &
  BudgetLedger &
  TenantLedger &
  KeyLedger &
  MappingLedger &
  BackfillLedger &
  UndoLedger &
  UpkeepLedger &
  StatsLedger &
  ActionLedger &
  ConsoleLedger &
  NoticeLedger;
