import problem from './node-problem.cjs';

// The package imports this first, so that its message comes before an error from undici.
if (problem !== null) throw new Error(problem);
