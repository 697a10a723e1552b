/**
 * Access to a running process through its inspector (`StackOptions.inspected`): its main thread, and each of its worker threads through the
 * domain `NodeWorker`.
 */
export interface Inspector {
  /** The main thread first. */
  readonly threads: readonly Thread[];
  close(): void;
}

/** One thread's isolate. Rejects if the thread refuses a request. */
export type Thread = { ask(method: string, params?: object): Promise<Answer> };

export type Answer = Readonly<Record<string, unknown>>;

/** The used part of the protocol's messages. */
type Message = {
  readonly id?: number;
  readonly result?: Answer;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly message?: string };
};

/** `address`: as `http://host:port`. Includes the worker threads that exist at the time of the call. */
export async function openInspector(address: string): Promise<Inspector> {
  const socket = await openSocket(address);
  const answers = new Map<number, (message: Message) => void>();
  const sessions: string[] = [];
  let asked = 0;
  const hear = (message: Message): void => {
    const { id, method, params } = message;
    if (id !== undefined) answers.get(id)?.(message);
    if (method === 'NodeWorker.attachedToWorker' && params !== undefined) sessions.push(params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker') hear(JSON.parse(params?.message ?? '{}'));
  };
  const ask = (send: (id: number) => object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      asked += 1;
      const id = asked;
      answers.set(id, ({ result, error }) => {
        answers.delete(id);
        if (error === undefined) resolve(result ?? {});
        else reject(new Error(`the inspector refuses: ${error.message}`));
      });
      socket.send(JSON.stringify(send(id)));
    });
  const main: Thread = { ask: (method, params = {}) => ask((id) => ({ id, method, params })) };
  const threadOf = (sessionId: string): Thread => ({
    ask: (method, params = {}) =>
      ask((id) => {
        const message = JSON.stringify({ id, method, params });
        return { id: 0, method: 'NodeWorker.sendMessageToWorker', params: { sessionId, message } };
      }),
  });
  socket.addEventListener('message', ({ data }) => hear(JSON.parse(String(data))));
  // Announces each worker thread before it answers.
  await main.ask('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return { threads: [main, ...sessions.map(threadOf)], close: () => socket.close() };
}

async function openSocket(address: string): Promise<WebSocket> {
  const answer = await fetch(`${address}/json/list`);
  const [target] = (await answer.json()) as [{ readonly webSocketDebuggerUrl: string }];
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`no inspector answers at ${address}`)));
  });
  return socket;
}
