import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const FROM_MEMORY = 'from-memory';

/**
 * Marks routes that answer from a cache. Their requests pass the read barrier before the look-up of the caller, so that
 * the caller's language and rights are as new as the answer (docs/decisions/0032).
 */
export const FromMemory = () => SetMetadata(FROM_MEMORY, true);

/** Whether a route has this mark. */
export const answersFromMemory = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(FROM_MEMORY, [
    context.getHandler(),
    context.getClass(),
  ]) === true;
