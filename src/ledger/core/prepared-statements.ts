import { createHash } from 'node:crypto';
import pg from 'pg';
import { isStalePlan } from '../ledger-error.ts';

/** How often a statement must have been sent before it is prepared. Rare statements are never prepared. */
const SENT_BEFORE = 5;
/** The maximum number of statements that a connection pool prepares, because each connection keeps their plans until it is closed. */
const MOST_PREPARED = 300;
/**
 * The maximum number of unprepared statements for which a pool counts how often they were sent. When it is reached, all counts start again
 * from zero. The limit saves memory, because the same statement has a different text for each size of a batch.
 */
const MOST_COUNTED = 1_000;

/** The names under which a connection pool prepares its statements, so that each connection parses and plans them only once. */
export interface StatementNames {
  /** The statement's name, or undefined if the statement is to be sent unprepared. */
  nameOf(text: string): string | undefined;
  /** Makes all connections prepare their statements under new names, because a migration has made the prepared ones invalid. */
  renew(): void;
  /** Stops preparing statements, because the connection pooler in front of the database loses prepared statements. */
  stop(): void;
  readonly generation: number;
}

/**
 * Makes the names of one pool's prepared statements. A name is a hash of the statement's text, so the same name always means the same
 * statement, even if another process prepared it.
 */
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
 * A database client that prepares statements with parameters, so that each connection parses and plans them only once. The server may
 * report that it has lost a prepared statement, or that the statement is invalid; it has then executed nothing. Outside a transaction, the
 * client sends the statement again. Inside a transaction, the client throws, and the caller repeats the whole transaction (`mayRetry`).
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

/**
 * SQLSTATE of a prepared statement whose result columns a migration has changed. After this error, the client gives its statements new
 * names. After any other error about a prepared statement, it prepares no more statements, because the connection pooler loses them.
 */
const CHANGED = '0A000';

type Plain = readonly [text: string, values: readonly unknown[]];

/** Whether the call sends a statement text with parameters. Other calls, such as `begin`, are not prepared. */
function isPlain(args: readonly unknown[]): args is Plain {
  const [text, values] = args;
  return args.length === 2 && typeof text === 'string' && Array.isArray(values) && values.length > 0;
}
