import type { EmbeddedPostgresOptions } from '../../playground/postgres/start.ts';
import { type PlanNode, planFaults } from '../../test/support/ledger/plan-faults.ts';

/** PostgreSQL settings that count statements, and that log statement plans while `TELL_PLANS` is on. */
export const WATCHED: NonNullable<EmbeddedPostgresOptions['settings']> = {
  shared_preload_libraries: 'pg_stat_statements,auto_explain',
  log_line_prefix: '%a ',
  'auto_explain.log_format': 'json',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_parameter_max_length': '0',
};

export const TELL_PLANS = ["alter system set auto_explain.log_min_duration = '0'", 'select pg_reload_conf()'];
export const TELL_NO_PLANS = ['alter system reset auto_explain.log_min_duration', 'select pg_reload_conf()'];

/** Statements about all tenants, and why each may read some rows of each tenant. */
const OF_ALL: readonly (readonly [RegExp, string])[] = [
  [/from crm_calls where tenant = any/, 'the calls of a day by the hour, for the budget of all tenants that made some'],
  [/from cursors where tenant = any/, 'when each stream was read: of a shard when it begins, of all for Prometheus'],
  [/join cursors c on c\.tenant = t\.tenant/, 'the few facts of each tenant that Prometheus reads'],
  [/from vendor_codes/, 'codes that no table knows, for Prometheus'],
  [/from tenants where change >/, 'the registry, whole when a process begins and twice a minute'],
  [/from data_keys/, 'the keys of the tenants that a registry names, when a process begins'],
  [/from "quota"|from forgotten_rows|from refused_rows/, 'metrics of each tenant'],
  [/from links, unnest\(issue_codes\)/, 'records that wait for somebody, counted by cause'],
  [/insert into "?crm_calls/, 'the calls of all tenants that made some, counted at once'],
];
/** The maximum number of rows per tenant that such a statement may read. */
const ROWS_OF_EACH = 40;
/** The maximum number of rows of a tenant in one table, as a multiple of its number of links. Its catalog does not depend on its links. */
const TIMES_LINKS = 5;
const LEAST_OF_A_TENANT = 5_000;
/** PostgreSQL scans a table with fewer rows completely rather than using an index. */
const FEW = 500;

export type Fault = { readonly statement: string; readonly fault: string; readonly times: number };

/** Reads the plans in PostgreSQL's log and keeps the faulty ones. */
export class PlanWatch {
  readonly #most: { readonly tenants: number; readonly links: number };
  readonly #faults = new Map<string, Fault>();
  readonly #statements = new Set<string>();
  #lines: string[] | null = null;
  /** How many plans were logged. */
  plans = 0;

  /** `links`: links per tenant. */
  constructor(most: { readonly tenants: number; readonly links: number }) {
    this.#most = most;
  }

  /** Takes one line of the log. The lines of a plan follow the line with its duration, each after a tab. */
  hear(line: string): void {
    if (line.startsWith('\t')) {
      this.#lines?.push(line);
      return;
    }
    this.flush();
    if (/^lockstep LOG: {2}duration: .* plan:$/.test(line)) this.#lines = [];
  }

  /** Ends the last plan, which has no line after it. */
  flush(): void {
    const lines = this.#lines;
    this.#lines = null;
    if (lines === null || lines.length === 0) return;
    const explained = JSON.parse(lines.join('\n')) as { 'Query Text': string; Plan: PlanNode };
    this.#judge(explained['Query Text'].replace(/\s+/g, ' ').trim(), explained.Plan);
  }

  /** How many statements of the product were seen, and which of them cost more with more tenants. */
  found(): { readonly statements: number; readonly faults: readonly Fault[] } {
    return { statements: this.#statements.size, faults: [...this.#faults.values()] };
  }

  #judge(statement: string, plan: PlanNode): void {
    this.plans += 1;
    this.#statements.add(statement);
    const { tenants, links } = this.#most;
    const isOfAll = OF_ALL.some(([words]) => words.test(statement));
    const ofTenant = Math.max(LEAST_OF_A_TENANT, TIMES_LINKS * links);
    const ofAll = ROWS_OF_EACH * tenants;
    for (const fault of planFaults(plan, isOfAll ? ofAll : ofTenant, isOfAll ? ofAll : FEW)) {
      const key = `${statement} ${fault.replace(/\d+ rows/, '')}`;
      this.#faults.set(key, { statement, fault, times: (this.#faults.get(key)?.times ?? 0) + 1 });
    }
  }
}
