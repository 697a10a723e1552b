import { createHash } from 'node:crypto';
import pg from 'pg';
import { isStalePlan } from '../ledger-error.ts';

/** A text that was sent so often is prepared from then on, as others do too: what is asked once is not worth a plan that stays. */
const SENT_BEFORE = 5;
/** Prepared texts of a pool. Each of its connections keeps them with their plans until it is closed. */
const MOST_PREPARED = 300;
/** Texts that are counted. Those with a parameter for each row of a batch are as many as there are sizes of batches. */
const MOST_COUNTED = 1_000;

/** The names of a pool's prepared statements. */
export interface StatementNames {
  /** Undefined: it is sent as it is. */
  nameOf(text: string): string | undefined;
  /** No connection may use these names any longer. */
  renew(): void;
  /** What answers does not keep them. */
  stop(): void;
  readonly generation: number;
}

/** A name tells the text, so that whoever finds it prepared, by whatever process, finds the statement that it means. */
export function statementNames(): StatementNames {
  const sent = new Map<string, number>();
  const names = new Map<string, string>();
  let generation = 0;
  let isStopped = false;
  function prepare(text: string): string {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    const name = `lockstep_${generation}_${hash}`;
    names.set(text, name);
    sent.delete(text);
    return name;
  }
  return {
    nameOf: (text) => {
      if (isStopped) return undefined;
      const name = names.get(text);
      if (name !== undefined || names.size === MOST_PREPARED) return name;
      const before = sent.get(text) ?? 0;
      if (before >= SENT_BEFORE) return prepare(text);
      if (sent.size === MOST_COUNTED) sent.clear();
      sent.set(text, before + 1);
      return undefined;
    },
    renew: () => {
      generation += 1;
      names.clear();
    },
    stop: () => {
      isStopped = true;
    },
    get generation() {
      return generation;
    },
  };
}

type Client = new (config?: pg.ClientConfig) => pg.Client;
type Query = (...args: unknown[]) => Promise<unknown>;

/**
 * A client for a pool that has statements with parameters prepared: parsed and planned once a connection, and not each time. Where
 * the server knows a statement no longer as it is meant, none of it was carried out: outside a transaction it is sent once more, and
 * a transaction is for its owner to begin again (`mayRetry`).
 */
export function preparingClient(names: StatementNames = statementNames()): Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const send: Query = (...args) => Reflect.apply(pg.Client.prototype.query, this, args);
      const query: Query = (...args) => {
        if (!isPlain(args)) return send(...args);
        const name = names.nameOf(args[0]);
        return name === undefined ? send(...args) : sendPrepared(name, args);
      };
      const sendPrepared = async (name: string, [text, values]: Plain): Promise<unknown> => {
        const { generation } = names;
        try {
          return await send({ name, text, values });
        } catch (error) {
          if (!isStalePlan(error)) throw error;
          if (error.code !== CHANGED) names.stop();
          else if (names.generation === generation) names.renew();
          if (this.getTransactionStatus() !== 'I') throw error;
          return send(text, values);
        }
      };
      this.query = query as unknown as pg.Client['query'];
    }
  };
}

/** Of a statement whose columns a migration has changed; the others are about names that the server does not know, or has already. */
const CHANGED = '0A000';

type Plain = readonly [text: string, values: readonly unknown[]];

/** What has no parameters, such as the begin of a transaction, is sent without being prepared anyway. */
function isPlain(args: readonly unknown[]): args is Plain {
  const [text, values] = args;
  return args.length === 2 && typeof text === 'string' && Array.isArray(values) && values.length > 0;
}
