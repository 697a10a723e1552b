import { readFileSync } from 'node:fs';
import type { Child } from '../support/stack/stack.ts';

/**
 * Resident memory of a process in MB once all its heaps are collected: what it keeps. Without that, V8 lets garbage lie as long
 * as the machine has memory, and resident memory says how much there is rather than what leaks. Needs the process's inspector
 * (`StackOptions.inspected`). Linux.
 */
export async function liveMemory({ pid, inspector }: Pick<Child, 'pid' | 'inspector'>): Promise<number> {
  if (inspector === null) throw new Error('only a process with an inspector can be told to collect');
  const heaps = await connect(inspector);
  await heaps.collect();
  heaps.close();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** What the inspector's protocol says (its domains `HeapProfiler` and `NodeWorker`), as far as it is read here. */
type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly message?: string };
};

type Heaps = {
  /** Collects the heap of the main thread, then that of each worker thread. */
  collect(): Promise<void>;
  close(): void;
};

const COLLECT = 'HeapProfiler.collectGarbage';

async function connect(inspector: string): Promise<Heaps> {
  const socket = await openSocket(inspector);
  const answers = new Map<number, () => void>();
  const threads = new Set<string>();
  let asked = 0;
  const hear = ({ id, method, params }: Message): void => {
    if (id !== undefined) answers.get(id)?.();
    if (method === 'NodeWorker.attachedToWorker' && params !== undefined) threads.add(params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker') hear(JSON.parse(params?.message ?? '{}'));
  };
  const ask = (send: (id: number) => string): Promise<void> =>
    new Promise((resolve) => {
      asked += 1;
      answers.set(asked, resolve);
      socket.send(send(asked));
    });
  const inMain = (method: string, params = {}): Promise<void> =>
    ask((id) => JSON.stringify({ id, method, params }));
  const inThread = (sessionId: string, method: string): Promise<void> =>
    ask((id) => {
      const params = { sessionId, message: JSON.stringify({ id, method }) };
      return JSON.stringify({ id: 0, method: 'NodeWorker.sendMessageToWorker', params });
    });
  socket.addEventListener('message', ({ data }) => hear(JSON.parse(String(data))));
  // Says of each worker thread before it is answered.
  await inMain('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return {
    collect: async () => {
      await inMain(COLLECT);
      for (const thread of threads) await inThread(thread, COLLECT);
    },
    close: () => socket.close(),
  };
}

async function openSocket(inspector: string): Promise<WebSocket> {
  const answer = await fetch(`${inspector}/json/list`);
  const [target] = (await answer.json()) as [{ readonly webSocketDebuggerUrl: string }];
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`no inspector answers at ${inspector}`)));
  });
  return socket;
}
