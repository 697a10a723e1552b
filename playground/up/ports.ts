import { createServer } from 'node:net';
import { freePort, OWN_PORTS } from '../../src/platform/ports.ts';
import { StartError } from '../../src/platform/start-error.ts';

/** Default ports of `lockstep up`. */
export const DEFAULT_PORTS = {
  vendor: 4010,
  salesforce: 4020,
  ...OWN_PORTS,
  temporal: 7233,
  ui: 8233,
  postgres: 5433,
} as const;

export type PortName = keyof typeof DEFAULT_PORTS;
export type Ports = Readonly<Record<PortName, number>>;

/** The purpose of each port, and the flag that changes it. */
export const PORT_TEXTS: Readonly<Record<PortName, { readonly what: string; readonly flag: string }>> = {
  vendor: { what: 'vendor simulator', flag: '--vendor-port' },
  salesforce: { what: 'Salesforce simulator', flag: '--salesforce-port' },
  webhooks: { what: 'webhook receiver', flag: '--webhook-port' },
  webhookOps: { what: "webhook receiver's health and metrics", flag: '--webhook-ops-port' },
  worker: { what: "worker's health and metrics", flag: '--worker-port' },
  console: { what: "operators' console", flag: '--console-port' },
  temporal: { what: 'Temporal server', flag: '--temporal-port' },
  ui: { what: 'Temporal UI', flag: '--ui-port' },
  postgres: { what: 'PostgreSQL', flag: '--postgres-port' },
};

const HOST = '127.0.0.1';

const ANY_FREE = 'Or use free ports for everything: --free-ports.';

export const PORT_NAMES = Object.keys(DEFAULT_PORTS) as readonly PortName[];

/** Distinct free ports, to run beside other instances. */
export async function freePorts(): Promise<Ports> {
  const ports = await Promise.all(PORT_NAMES.map(async (name) => [name, await freePort()] as const));
  return Object.fromEntries(ports) as Ports;
}

/** Throws an error of one sentence that names every port in use and the flag to choose another. */
export async function requireFree(ports: Ports, names: readonly PortName[]): Promise<void> {
  const twice = names.find((name, index) => names.slice(0, index).some((other) => ports[other] === ports[name]));
  if (twice !== undefined) {
    throw new StartError(`Port ${ports[twice]} is wanted twice: give ${PORT_TEXTS[twice].flag} another value.`);
  }
  const tried = await Promise.all(names.map(async (name) => ({ name, code: await refusal(ports[name]) })));
  const problems = tried.flatMap(({ name, code }) => (code === null ? [] : [problem(name, ports[name], code)]));
  if (problems.length > 0) throw new StartError([...problems, ANY_FREE].join('\n'));
}

function problem(name: PortName, port: number, code: string): string {
  const { what, flag } = PORT_TEXTS[name];
  const why = code === 'EADDRINUSE' ? 'is in use: stop the program that holds it' : `cannot be opened (${code})`;
  return `Port ${port} (${what}) ${why}, or choose another with ${flag}.`;
}

/** Why a port cannot be opened; null if it can. */
function refusal(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown error'));
    server.listen(port, HOST, () => server.close(() => resolve(null)));
  });
}
