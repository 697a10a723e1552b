import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowExecutionInfo } from '@temporalio/client';
import type { Stack } from './stack.ts';

/** Stored data of a stack: its place and its content. */
export type Trace = readonly [place: string, content: string | Uint8Array];

/**
 * All stored or shown data of a stack's work outside the remote systems: histories with their payloads, lists of workflows and schedules,
 * each row of each table and view, metrics and probes, and the files of the home (Temporal's database, the output of worker and receiver).
 */
export async function tracesOf(stack: Stack): Promise<readonly Trace[]> {
  return [
    ...(await histories(stack)),
    ...(await schedules(stack)),
    ...(await rows(stack)),
    ...(await answers(stack)),
    ...(await files(stack.home)),
  ];
}

/** The number of parallel requests to Temporal. */
const AT_ONCE = 20;

/** Temporal's data of all workflows that match; for running ones also the failures of activities under retry. */
export async function histories({ client }: Stack, query?: string): Promise<readonly Trace[]> {
  const found: WorkflowExecutionInfo[] = [];
  for await (const execution of client.workflow.list(query === undefined ? {} : { query })) found.push(execution);
  const traces: Trace[] = [];
  for (let start = 0; start < found.length; start += AT_ONCE) {
    const ofSome = found.slice(start, start + AT_ONCE).map(async ({ workflowId, runId, raw, status }) => {
      const handle = client.workflow.getHandle(workflowId, runId);
      const { events } = await handle.fetchHistory();
      const open = status.name === 'RUNNING' ? (await handle.describe()).raw : null;
      return [`history of ${workflowId}`, readable([raw, events, open])] as const;
    });
    traces.push(...(await Promise.all(ofSome)));
  }
  return traces;
}

async function schedules({ client }: Stack): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  for await (const { scheduleId } of client.schedule.list()) {
    const described = await client.schedule.getHandle(scheduleId).describe();
    traces.push([`schedule ${scheduleId}`, readable(described.raw)]);
  }
  return traces;
}

/** Each row as text, and the bytes of sealed columns unchanged. */
async function rows({ ledgerQuery }: Stack): Promise<readonly Trace[]> {
  const tables = await ledgerQuery(
    "select table_schema as schema, table_name as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')",
  );
  const traces: Trace[] = [];
  for (const { schema, name } of tables) {
    const place = `"${schema}"."${name}"`;
    for (const row of await ledgerQuery(`select t.*, t::text as "all of it" from ${place} t`)) {
      const bytes = Object.values(row).filter((value) => value instanceof Uint8Array);
      traces.push([`table ${place}`, JSON.stringify(row)]);
      traces.push(...bytes.map((value) => [`bytes of table ${place}`, value] as const));
    }
  }
  return traces;
}

async function answers({ ops, hooks }: Stack): Promise<readonly Trace[]> {
  const urls = [ops.worker, ops.receiver, hooks].flatMap((at) =>
    ['/metrics', '/healthz', '/readyz'].map((path) => `${at}${path}`),
  );
  return Promise.all(
    urls.map(async (url) => {
      const answer = await fetch(url);
      return [url, JSON.stringify([...answer.headers]) + (await answer.text())] as const;
    }),
  );
}

async function files(home: string): Promise<readonly Trace[]> {
  const kept = (await readdir(home)).filter((name) => /^(temporal\.db|output\.log)/.test(name));
  // A real Temporal server has a PostgreSQL, a folder, in the place of the development server's file.
  const all = await Promise.all(kept.map((name) => filesIn(join(home, name))));
  const found = await Promise.all(
    all.flat().map(async (path) => {
      const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
        // Databases delete files of their own while they run, such as SQLite's journal.
        if (error.code === 'ENOENT' && !path.endsWith('.db')) return null;
        throw error;
      });
      return content === null ? [] : [[path.slice(home.length + 1), content] as const];
    }),
  );
  return found.flat();
}

async function filesIn(path: string): Promise<readonly string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** JSON in which bytes appear as their text. */
function readable(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return String(member);
    const bytes = asBytes(member);
    return bytes === null ? member : bytes.toString('latin1');
  });
}

/** A replacer gets a buffer as the result of its `toJSON`. */
function asBytes(member: unknown): Buffer | null {
  if (member instanceof Uint8Array) return Buffer.from(member);
  const { type, data } = (member ?? {}) as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data) : null;
}
