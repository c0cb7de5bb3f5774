import type { CanActivate } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Composed } from '../../src/http/step.js';

type AnyComposed = Composed<unknown, unknown>;

/** The installed stations of a running server, and the stations that requests entered. */
export interface PipelineTrail {
  /** The names of all handlers and global guards, in order. */
  installed: string[];
  /** The names of the stations entered since this list was last emptied. */
  entered: string[];
  /** The handlers, which tests may replace. */
  steps: AnyComposed['steps'];
}

/** Records the stations that requests of a server enter. */
export function followRequests(app: NestExpressApplication): PipelineTrail {
  const trail: PipelineTrail = { installed: [], entered: [], steps: [] };
  const { router } = app.getHttpAdapter().getInstance();
  const middleware = router.stack.map(({ handle }) => handle as unknown);
  const handlers = [...app.getHttpServer().listeners('request'), ...middleware];
  for (const { steps } of handlers.filter(isComposed))
    for (const step of steps) {
      if (step.name === 'Express') continue;
      const { name, handle } = step;
      trail.installed.push(name);
      trail.steps.push(step);
      step.handle = (...call) => {
        trail.entered.push(name);
        handle(...call);
      };
    }
  for (const guard of globalGuards(app)) {
    const { name } = guard.constructor;
    trail.installed.push(name);
    const canActivate = guard.canActivate.bind(guard);
    guard.canActivate = (context) => {
      trail.entered.push(name);
      return canActivate(context);
    };
  }
  return trail;
}

const isComposed = (handler: unknown): handler is AnyComposed =>
  typeof handler === 'function' && 'steps' in handler;

function globalGuards(app: NestExpressApplication): CanActivate[] {
  const { config } = app as unknown as { config: ApplicationConfig };
  return config.getGlobalGuards();
}
