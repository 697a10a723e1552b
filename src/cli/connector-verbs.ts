import { addAudit } from './commands/audit.ts';
import { addAuditLog } from './commands/audit-log.ts';
import { addBackfill } from './commands/backfill.ts';
import { addCatalog } from './commands/catalog.ts';
import { addCompletion } from './commands/completion.ts';
import { addConflicts } from './commands/conflicts.ts';
import { addDoctor } from './commands/doctor.ts';
import { addErasePerson } from './commands/erase-person.ts';
import { addExplain } from './commands/explain.ts';
import { addFindOrder } from './commands/find-order.ts';
import { addInbox } from './commands/inbox.ts';
import { addKeys } from './commands/keys.ts';
import { addLedger } from './commands/ledger.ts';
import { addLink } from './commands/link.ts';
import { addLoadOrders } from './commands/load-orders.ts';
import { addMapping } from './commands/mapping.ts';
import { addMigrate } from './commands/migrate.ts';
import { addPlan } from './commands/plan.ts';
import { addResume } from './commands/resume.ts';
import { addServe } from './commands/serve.ts';
import { addStatus } from './commands/status.ts';
import { addSync } from './commands/sync.ts';
import { addTenants } from './commands/tenants.ts';
import { addUnlink } from './commands/unlink.ts';
import { addWorker } from './commands/worker.ts';
import type { AddVerb } from './run-verbs.ts';

/** The commands of an installation, without those that start a server or a simulator. */
export const CONNECTOR_VERBS: readonly AddVerb[] = [
  addWorker,
  addServe,
  addMigrate,
  addSync,
  addLink,
  addUnlink,
  addStatus,
  addPlan,
  addAudit,
  addAuditLog,
  addBackfill,
  addDoctor,
  addMapping,
  addExplain,
  addInbox,
  addConflicts,
  addResume,
  addTenants,
  addErasePerson,
  addKeys,
  addLedger,
  addCatalog,
  addLoadOrders,
  addFindOrder,
  addCompletion,
];
