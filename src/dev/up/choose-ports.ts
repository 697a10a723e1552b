import { DEFAULT_PORTS, freePorts, type Ports } from '../../platform/ports.ts';

export type PortChoice = {
  /** Take a free port wherever no flag names one; the environment and the usual ports do not count then. */
  readonly free: boolean;
  readonly fromFlags: Partial<Ports>;
  readonly fromEnvironment: Partial<Ports>;
};

/** The ports of a run that stays: a flag wins, then free ports or the environment, then the usual port. */
export async function choosePorts({ free, fromFlags, fromEnvironment }: PortChoice): Promise<Ports> {
  const base = free ? await freePorts() : { ...DEFAULT_PORTS, ...fromEnvironment };
  return { ...base, ...fromFlags };
}
