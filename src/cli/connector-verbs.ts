import { type Verb, verb } from './run-verbs.ts';

/**
 * The commands that an installed package has. A development machine also has `up`, which starts everything, and the commands of the
 * simulators. A command's module is loaded when it is needed.
 */
export const CONNECTOR_VERBS: readonly Verb[] = [
  verb(
    'worker',
    "run the worker: all tenants' workflows and activities",
    async () => (await import('./commands/worker.ts')).addWorker,
  ),
  verb(
    'serve',
    'run the webhook receiver; serve /healthz, /readyz and /metrics on a separate port',
    async () => (await import('./commands/serve.ts')).addServe,
  ),
  verb(
    'console',
    "run the operators' console and its API; print a one-time link to sign in",
    async () => (await import('./commands/console.ts')).addConsole,
  ),
  verb(
    'mcp',
    'offer the commands that read as tools of the Model Context Protocol, and proposals of changes',
    async () => (await import('./commands/mcp.ts')).addMcp,
  ),
  verb(
    'migrate',
    "migrate the ledger's database to this version (forward only, safe to repeat)",
    async () => (await import('./commands/migrate.ts')).addMigrate,
  ),
  verb(
    'sync',
    'sync records now, and send refused values again',
    async () => (await import('./commands/sync.ts')).addSync,
  ),
  verb(
    'link',
    'link an opportunity and a vendor record as one deal',
    async () => (await import('./commands/link.ts')).addLink,
  ),
  verb(
    'unlink',
    'separate an opportunity from its vendor record, for good',
    async () => (await import('./commands/unlink.ts')).addUnlink,
  ),
  verb(
    'relink',
    'move deals to the opportunities of the org to which their org was migrated',
    async () => (await import('./commands/relink.ts')).addRelink,
  ),
  verb(
    'status',
    'count the records by state, and list those that wait for a person',
    async () => (await import('./commands/status.ts')).addStatus,
  ),
  verb(
    'plan',
    'show what a sync would do with each record, and its cost; writes nothing',
    async () => (await import('./commands/plan.ts')).addPlan,
  ),
  verb(
    'audit',
    'compare both sides of every deal, and list what differs',
    async () => (await import('./commands/audit.ts')).addAudit,
  ),
  verb(
    'audit-log',
    'show which operator did what, when, from where and why; check that the log is complete',
    async () => (await import('./commands/audit-log.ts')).addAuditLog,
  ),
  verb(
    'backfill',
    'sync the records that changed on either side since an instant',
    async () => (await import('./commands/backfill.ts')).addBackfill,
  ),
  verb(
    'undo',
    'give back the values that past writes replaced, where both sides still show what was written',
    async () => (await import('./commands/undo.ts')).addUndo,
  ),
  verb(
    'doctor',
    'check Node, tenant files, ledger, Temporal, Salesforce, vendor and receiver; reads only',
    async () => (await import('./commands/doctor.ts')).addDoctor,
  ),
  verb(
    'mapping',
    'show, check and try a tenant’s mapping, publish it, and take it back',
    async () => (await import('./commands/mapping.ts')).addMapping,
  ),
  verb(
    'picklists',
    "write picklists that take only the codes of the tenant file's lists, for an administrator to deploy",
    async () => (await import('./commands/picklists.ts')).addPicklists,
  ),
  verb(
    'explain',
    "show a record's state, the decision about each field and its reason, and what the record waits for",
    async () => (await import('./commands/explain.ts')).addExplain,
  ),
  verb(
    'history',
    'show what happened to a record: links, decisions, writes, states, and who looked at its values',
    async () => (await import('./commands/history.ts')).addHistory,
  ),
  verb(
    'what-if',
    'play past decisions through another rule or mapping, and say which would have ended otherwise',
    async () => (await import('./commands/what-if.ts')).addWhatIf,
  ),
  verb(
    'inbox',
    'list the records that need a repair, by cause',
    async () => (await import('./commands/inbox.ts')).addInbox,
  ),
  verb(
    'conflicts',
    'list the conflicts that wait for a person, by record and field',
    async () => (await import('./commands/conflicts.ts')).addConflicts,
  ),
  verb(
    'notices',
    'list the states that operators were notified of, and the messages to their channels; test a channel',
    async () => (await import('./commands/notices.ts')).addNotices,
  ),
  verb(
    'resume',
    'lift every pause of a tenant, and retry its stopped streams and refused rows',
    async () => (await import('./commands/resume.ts')).addResume,
  ),
  verb(
    'tenants',
    'declare, pause and remove tenants in the registry, without a restart',
    async () => (await import('./commands/tenants.ts')).addTenants,
  ),
  verb(
    'erase-person',
    "erase one person, by e-mail address, from a tenant's data in the ledger and in Temporal",
    async () => (await import('./commands/erase-person.ts')).addErasePerson,
  ),
  verb(
    'keys',
    "rotate or set a tenant's vendor API key; seal the ledger with a new sealing key",
    async () => (await import('./commands/keys.ts')).addKeys,
  ),
  verb(
    'ledger',
    'show the size and the sealing keys of the ledger',
    async () => (await import('./commands/ledger.ts')).addLedger,
  ),
  verb(
    'catalog',
    "refresh the vendor's catalog in the CRM, or show the refresh's progress",
    async () => (await import('./commands/catalog.ts')).addCatalog,
  ),
  verb(
    'load-orders',
    "show, pause or resume the first load of the vendor's orders",
    async () => (await import('./commands/load-orders.ts')).addLoadOrders,
  ),
  verb(
    'find-order',
    "search the vendor's orders, and link those found to an opportunity",
    async () => (await import('./commands/find-order.ts')).addFindOrder,
  ),
  verb(
    'completion',
    "print the script with which a shell completes this program's commands and options",
    async () => (await import('./commands/completion.ts')).addCompletion,
  ),
];
