import problem from './node-problem.cjs';

// The first import of the package, so that this comes before an error from deep inside undici.
if (problem !== null) throw new Error(problem);
