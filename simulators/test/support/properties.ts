import fc from 'fast-check';

/**
 * fast-check, with one seed for all properties: a change is judged by the same values as the one before it. `npm run soak --
 * --properties N` draws seeds.
 */
const SEED = 20_270_104;

fc.configureGlobal({ seed: Number(process.env['LOCKSTEP_PROPERTY_SEED'] ?? SEED) });

export default fc;
