import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import type { TenantRuntime } from '../../activities/support/deps.ts';
import { tenantRemoved, tenantUnknown } from '../../activities/support/tenant-failure.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Roster } from '../platform/tenant-roster.ts';

/** A tenant's two remote systems, and what ends their connections. */
export type Remotes = TenantRuntime & { close(): Promise<void> };

/** The tenants' remote systems as a worker has them: they come, change and go while it runs. */
export interface Runtimes {
  /** What an activity has of its tenant until it ends. Throws a failure where this worker does not serve it (yet). */
  of(tenant: string): TenantRuntime;
  /** Goes around each activity, so that it ends with the remote systems that it began with. */
  around(context: Context): ActivityInterceptors;
  /** The same around anything: what it has of its tenants is kept until it ends. */
  during<T>(run: () => Promise<T>): Promise<T>;
  /** Brings the remote systems to what the roster says. One that cannot be connected stops no other. */
  follow(roster: Roster): void;
  close(): Promise<void>;
}

/** `connect` asks nothing of the remote systems yet. */
export function createRuntimes(connect: (tenant: Tenant) => Remotes, log: Logger): Runtimes {
  return new LiveRuntimes(connect, log);
}

type Entry = { readonly tenant: Tenant; readonly remotes: Remotes; users: number; isRetired: boolean };

class LiveRuntimes implements Runtimes {
  readonly #connect: (tenant: Tenant) => Remotes;
  readonly #log: Logger;
  readonly #entries = new Map<string, Entry>();
  /** Whose connections are not ended. */
  readonly #open = new Set<Entry>();
  readonly #closing = new Set<Promise<void>>();
  /** What the activity has that asks, by tenant. */
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
          // Whatever it would do: of a tenant that is out of service nothing goes on.
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
    for (const [name, entry] of this.#entries)
      if (served.get(name)?.tenant !== entry.tenant) this.#retire(name, entry);
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
