/**
 * Node's flags for a worker, a receiver and a console. V8 would let the part of the heap for new objects grow to 128 MB under load, and
 * would collect old objects only once they have grown by several times (`npm run bench:memory`).
 */
export const SERVICE_FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=20'] as const;

/** Their environment: glibc would give each thread a heap of its own, which it seldom gives back. */
export const SERVICE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' } as const;
