var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { createHash } from 'node:crypto';
import { HttpStatus, Injectable, } from '@nestjs/common';
import { map } from 'rxjs';
import { namesTag } from '../resources/etag.js';
/**
 * ETag and If-None-Match (RFC 9110 section 13.1.2) for what a portal polls. The tag is made from
 * the answer itself, so that it changes exactly when the caller would see something else; a 304
 * saves the body, not the look.
 */
let ConditionalInterceptor = class ConditionalInterceptor {
    intercept(context, next) {
        const http = context.switchToHttp();
        const request = http.getRequest();
        const response = http.getResponse();
        return next.handle().pipe(map((answer) => {
            const text = JSON.stringify(answer);
            const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
            response.setHeader('ETag', etag);
            response.setHeader('Cache-Control', 'private, no-cache');
            response.vary('X-AUTHENTICATION-KEY');
            if (!namesTag(request.headers['if-none-match'], etag)) {
                // The text that was digested is the body: a large answer is not written twice.
                response.setHeader('Content-Type', 'application/json; charset=utf-8');
                return text;
            }
            response.status(HttpStatus.NOT_MODIFIED);
            return undefined;
        }));
    }
};
ConditionalInterceptor = __decorate([
    Injectable()
], ConditionalInterceptor);
export { ConditionalInterceptor };
//# sourceMappingURL=conditional.interceptor.js.map