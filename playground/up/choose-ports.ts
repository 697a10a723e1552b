import { DEFAULT_PORTS, freePorts, type Ports } from './ports.ts';

export type PortChoice = {
  /** Use a free port unless a flag names one; the environment and the default ports are then ignored. */
  readonly free: boolean;
  readonly fromFlags: Partial<Ports>;
  readonly fromEnvironment: Partial<Ports>;
};

/** The ports of a permanent run: a flag wins, then free ports or the environment, then the default. */
export async function choosePorts({ free, fromFlags, fromEnvironment }: PortChoice): Promise<Ports> {
  const base = free ? await freePorts() : { ...DEFAULT_PORTS, ...fromEnvironment };
  return { ...base, ...fromFlags };
}
