import fc from 'fast-check';

/**
 * fast-check with the same seed for all properties, so that two versions of the code are tested with equal values. `npm run soak --
 * --properties N` uses random seeds.
 */
const SEED = 20_270_104;

fc.configureGlobal({ seed: Number(process.env['LOCKSTEP_PROPERTY_SEED'] ?? SEED) });

export default fc;
