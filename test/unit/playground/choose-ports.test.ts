import { describe, expect, it } from 'vitest';
import { choosePorts } from '../../../playground/up/choose-ports.ts';
import { DEFAULT_PORTS, PORT_NAMES, requireFree } from '../../../playground/up/ports.ts';

describe('the ports of npm start', () => {
  it('are the usual ones, unless the environment or a flag names another; the flag wins', async () => {
    const ports = await choosePorts({
      free: false,
      fromFlags: { worker: 4901 },
      fromEnvironment: { worker: 4902, webhooks: 4903 },
    });
    expect(ports).toEqual({ ...DEFAULT_PORTS, worker: 4901, webhooks: 4903 });
  });

  it('are free ones with --free-ports, but for those that a flag names', async () => {
    const ports = await choosePorts({
      free: true,
      fromFlags: { ui: 8299 },
      fromEnvironment: { webhooks: DEFAULT_PORTS.webhooks },
    });
    const others = PORT_NAMES.filter((name) => name !== 'ui');
    expect(ports.ui).toBe(8299);
    expect(others.filter((name) => ports[name] === DEFAULT_PORTS[name])).toEqual([]);
    await expect(requireFree(ports, others)).resolves.toBeUndefined();
  });
});
