/** Probes of a supervisor come from anywhere and tell nothing but up or not. */
export const PROBES: ReadonlySet<string> = new Set(['/health/live', '/health/ready']);
