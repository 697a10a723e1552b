import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** The PostgreSQL setting that row-level security compares with the column `tenant`. Its value is a tenant, or `*` for all. */
export const TENANT_SETTING = 'lockstep.tenant';
const ALL_TENANTS = '*';

const current = new AsyncLocalStorage<string>();

/**
 * Wraps the methods of a ledger so that PostgreSQL's row-level security limits each statement to one tenant: the first argument of the
 * method. Methods named in `acrossTenants` see all tenants. This protects against a mistake in a statement, not against attackers who can
 * send statements.
 */
export function walledCalls<L extends object>(ledger: L, acrossTenants: ReadonlySet<string>): L {
  const calls = Object.entries(ledger).map(([name, call]) => {
    const walled = (...args: unknown[]): unknown => {
      const tenant = acrossTenants.has(name) ? ALL_TENANTS : args[0];
      if (typeof tenant !== 'string') throw new TypeError(`${name} names no tenant first`);
      return within(tenant, () => (call as (...given: unknown[]) => unknown)(...args));
    };
    return [name, walled];
  });
  return Object.fromEntries(calls) as L;
}

/**
 * Runs a method so that its statements see only the rows of one tenant. If the method returns pages, the statements that read the pages are
 * limited too.
 */
function within(tenant: string, call: () => unknown): unknown {
  const answer = current.run(tenant, call);
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer;
  const pages = (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => current.run(tenant, () => pages.next()),
      return: () => current.run(tenant, async () => (await pages.return?.()) ?? { done: true, value: undefined }),
    }),
  };
}

type Client = new (config?: pg.ClientConfig) => pg.Client;
type Query = (...args: unknown[]) => Promise<unknown>;

/**
 * A database client that sends each statement in a transaction of its own, in which it first sets the tenant for row-level security. The
 * setting therefore also holds behind a connection pooler that switches connections between transactions.
 */
export function walledClient(): Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const send: Query = (...args) => Reflect.apply(pg.Client.prototype.query, this, args);
      const query: Query = async (...args) => {
        const tenant = current.getStore();
        if (tenant === undefined || this.getTransactionStatus() !== 'I') return send(...args);
        const begin = `begin; select set_config('${TENANT_SETTING}', ${this.escapeLiteral(tenant)}, true)`;
        if (/^\s*(begin|start transaction)\b/i.test(String(args[0]))) return send(begin);
        await send(begin);
        try {
          const result = await send(...args);
          await send('commit');
          return result;
        } catch (error) {
          await send('rollback').catch(() => undefined);
          throw error;
        }
      };
      this.query = query as unknown as pg.Client['query'];
    }
  };
}
