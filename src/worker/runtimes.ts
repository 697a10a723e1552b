import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import type { TenantRuntime } from '../../activities/support/deps.ts';
import { tenantRemoved, tenantUnknown } from '../../activities/support/tenant-failure.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Roster } from '../platform/tenant-roster.ts';

/** The clients for a tenant's two remote systems, with a function that closes their connections. */
export type Remotes = TenantRuntime & { close(): Promise<void> };

/** The clients for the remote systems of all of a worker's tenants. Tenants are added, changed and removed while the worker runs. */
export interface Runtimes {
  /**
   * A tenant's clients. They stay open and unchanged until the calling activity ends. Throws a failure if this worker does not serve the
   * tenant.
   */
  of(tenant: string): TenantRuntime;
  /** An interceptor that keeps a tenant's clients open and unchanged until the activity ends. */
  around(context: Context): ActivityInterceptors;
  /** Runs `run`. The clients that it uses stay open and unchanged until its promise settles. */
  during<T>(run: () => Promise<T>): Promise<T>;
  /**
   * Opens and closes clients when tenants in the roster (the list of tenants) change. If a tenant's clients cannot be opened, the other
   * tenants are still served.
   */
  follow(roster: Roster): void;
  close(): Promise<void>;
}

/**
 * Creates the clients for a worker's tenants. `connect` must only create clients and send no requests, so that a tenant whose remote
 * systems do not answer cannot delay the other tenants.
 */
export function createRuntimes(connect: (tenant: Tenant) => Remotes, log: Logger): Runtimes {
  return new LiveRuntimes(connect, log);
}

type Entry = { readonly tenant: Tenant; readonly remotes: Remotes; users: number; isRetired: boolean };

class LiveRuntimes implements Runtimes {
  readonly #connect: (tenant: Tenant) => Remotes;
  readonly #log: Logger;
  readonly #entries = new Map<string, Entry>();
  /** The entries whose connections to the remote systems are open. */
  readonly #open = new Set<Entry>();
  readonly #closing = new Set<Promise<void>>();
  /** The clients that the current activity uses, by tenant. They stay open until the activity ends. */
  readonly #used = new AsyncLocalStorage<Map<string, Entry>>();
  #removed: Roster['removed'] = new Map();

  constructor(connect: (tenant: Tenant) => Remotes, log: Logger) {
    this.#connect = connect;
    this.#log = log;
  }

  of(name: string): TenantRuntime {
    const mine = this.#used.getStore();
    const entry = mine?.get(name) ?? this.#entries.get(name);
    if (entry === undefined) throw this.#removed.has(name) ? tenantRemoved(name) : tenantUnknown(name);
    if (mine !== undefined && !mine.has(name)) {
      mine.set(name, entry);
      entry.users += 1;
    }
    return entry.remotes;
  }

  around(): ActivityInterceptors {
    return {
      inbound: {
        execute: async (input, next) => {
          const { tenant } = (input.args[0] ?? {}) as { readonly tenant?: unknown };
          // An activity of a removed tenant must not run.
          if (typeof tenant === 'string' && this.#removed.has(tenant)) throw tenantRemoved(tenant);
          return this.during(() => next(input));
        },
      },
    };
  }

  async during<T>(run: () => Promise<T>): Promise<T> {
    const mine = new Map<string, Entry>();
    try {
      return await this.#used.run(mine, run);
    } finally {
      for (const entry of mine.values()) this.#release(entry);
    }
  }

  follow({ served, removed }: Roster): void {
    this.#removed = removed;
    for (const [name, entry] of this.#entries) if (served.get(name)?.tenant !== entry.tenant) this.#retire(name, entry);
    for (const [name, { tenant }] of served) if (!this.#entries.has(name)) this.#add(name, tenant);
  }

  async close(): Promise<void> {
    this.#entries.clear();
    for (const entry of this.#open) this.#end(entry);
    await Promise.all(this.#closing);
  }

  #add(name: string, tenant: Tenant): void {
    try {
      const entry = { tenant, remotes: this.#connect(tenant), users: 0, isRetired: false };
      this.#entries.set(name, entry);
      this.#open.add(entry);
    } catch (err) {
      this.#log.error('a tenant cannot be served', { tenant: name, err });
    }
  }

  #retire(name: string, entry: Entry): void {
    this.#entries.delete(name);
    entry.isRetired = true;
    if (entry.users === 0) this.#end(entry);
  }

  #release(entry: Entry): void {
    entry.users -= 1;
    if (entry.isRetired && entry.users === 0) this.#end(entry);
  }

  #end(entry: Entry): void {
    if (!this.#open.delete(entry)) return;
    const ending = entry.remotes
      .close()
      .catch((err: unknown) => this.#log.warn('connections of a tenant did not end well', { err }))
      .finally(() => this.#closing.delete(ending));
    this.#closing.add(ending);
  }
}
