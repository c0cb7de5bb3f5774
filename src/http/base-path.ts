import type { NextFunction, Request, Response } from 'express';
import { notFound } from '../base/errors/api-errors.js';
import { sendError } from './send-error.js';

/** Express middleware: strips BASE_PATH from the URL and answers 404 to any other path. */
export function stripBasePath(basePath: string) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (basePath === '') return next();
    const rest = request.url.startsWith(basePath) ? request.url.slice(basePath.length) : undefined;
    if (rest === undefined || !/^([/?]|$)/.test(rest)) return sendError(response, notFound());
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    next();
  };
}
