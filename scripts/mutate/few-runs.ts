import fc from 'fast-check';

fc.configureGlobal({ numRuns: 25, seed: 1 });
process.env['LOCKSTEP_ROUNDS'] = '25';
