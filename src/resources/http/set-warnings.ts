import type { Response } from 'express';

/** Sets `X-Warning` where there is something to warn of (docs/api-contract.md#warnings). */
export function setWarnings(response: Response, warnings: string[]): void {
  if (warnings.length > 0) response.setHeader('X-Warning', warnings.join('; '));
}
