import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PORTS, freePorts, PORT_NAMES, requireFree } from '../../playground/up/ports.ts';

describe('ports', () => {
  it('are different and free where free ones are asked for', async () => {
    const ports = await freePorts();
    expect(new Set(Object.values(ports)).size).toBe(PORT_NAMES.length);
    await expect(requireFree(ports, PORT_NAMES)).resolves.toBeUndefined();
  });

  it('that are free are none that a system gives outgoing connections, which could take them', async () => {
    expect(Math.max(...Object.values(await freePorts()))).toBeLessThan(32_768);
  });

  it('that are taken are named, each with the flag that moves it', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const ports = { ...DEFAULT_PORTS, ...(await freePorts()), salesforce: port };
    await expect(requireFree(ports, PORT_NAMES)).rejects.toThrow(
      `Port ${port} (Salesforce simulator) is in use: stop the program that holds it, or choose another with --salesforce-port.\nOr use free ports for everything: --free-ports.`,
    );
    await new Promise((resolve) => server.close(resolve));
  });

  it('wanted twice are refused', async () => {
    const ports = { ...(await freePorts()), vendor: 4999, worker: 4999 };
    await expect(requireFree(ports, PORT_NAMES)).rejects.toThrow(/Port 4999 is wanted twice/);
  });
});
