import problem from './node-problem.cjs';

// The package imports this file first. So on an unsupported version of Node, this message appears before an error from undici.
if (problem !== null) throw new Error(problem);
