import { verb } from '../src/cli/run-verbs.ts';

export const SIMULATORS_VERB = verb(
  'simulators',
  'run the vendor simulator, the Salesforce simulator, or both',
  async () => (await import('./commands/simulators.ts')).addSimulators,
);
