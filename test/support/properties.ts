import fc from 'fast-check';
import { processEnvironment } from '../../src/platform/settings.ts';

/**
 * fast-check with the same seed for all properties, so that two versions of the code are tested with equal values. `npm run soak --
 * --properties N` uses random seeds.
 */
const SEED = 20_270_104;

fc.configureGlobal({ seed: Number(processEnvironment()['LOCKSTEP_PROPERTY_SEED'] ?? SEED) });

export default fc;
