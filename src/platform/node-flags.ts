/**
 * Flags with which Node runs a worker, a receiver and a console. Without them, V8 would let the part of the heap for new objects grow to
 * 128 MB under load, and would not free old objects before they have grown to several times their size (`npm run bench:memory`).
 */
export const SERVICE_FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=20'] as const;

/** The environment of the same processes. Without it, glibc would give each thread a heap of its own, whose memory it seldom returns. */
export const SERVICE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' } as const;
