/**
 * Node's flags for a worker, a receiver and a console. V8 would let the part of the heap for new objects grow to 128 MB under load, which
 * saves no measurable processor time over 16 MB (`npm run bench:memory`).
 */
export const SERVICE_FLAGS = (process.env['XF'] ?? '--max-semi-space-size=8').split(' ');
