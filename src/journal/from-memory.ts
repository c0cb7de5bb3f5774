import { type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const FROM_MEMORY = 'from-memory';

/**
 * Marks routes that answer from memory: their requests pass the read barrier before their caller is looked up, so that
 * the language and the role of the caller are as new as the answer (docs/decisions/0032).
 */
export const FromMemory = () => SetMetadata(FROM_MEMORY, true);

/** Whether a route is marked so. */
export const answersFromMemory = (reflector: Reflector, context: ExecutionContext): boolean =>
  reflector.getAllAndOverride<boolean | undefined>(FROM_MEMORY, [
    context.getHandler(),
    context.getClass(),
  ]) === true;
