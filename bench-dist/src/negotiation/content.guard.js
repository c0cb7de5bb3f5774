var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { invalid, notAcceptable, unsupportedMediaType } from '../errors/refusals.js';
import { admits } from './accept.js';
import { bodyFaultOf, hasBody, JSON_PATCH_TYPE, JSON_TYPE } from './body.js';
import { queryOf } from './query-string.js';
const PRODUCES = 'produces';
const QUERY = 'query';
const ANY_CONTENT = 'anyContent';
/** Marks a route that answers something else than JSON: pictures, files, pages. */
export const Produces = (...mediaTypes) => SetMetadata(PRODUCES, mediaTypes);
/** The query parameters that a route of the main API knows; without this mark it knows none. */
export const KnownParameters = (...names) => SetMetadata(QUERY, names);
/** Marks a route that reads all query parameters itself (lists) or ignores unknown ones (portals). */
export const AnyParameters = () => SetMetadata(QUERY, 'any');
/** Marks a route that answers the same whatever was sent: unknown routes, probes. */
export const AnyContent = () => SetMetadata(ANY_CONTENT, true);
/**
 * The last of the guards: what comes in and what may go out. Accept by RFC 9110 section 12.5.1
 * (406), faults of the body kept by readBody (400, 413, 415), unknown query parameters (400).
 */
let ContentGuard = class ContentGuard {
    reflector;
    constructor(reflector) {
        this.reflector = reflector;
    }
    canActivate(context) {
        const request = context.switchToHttp().getRequest();
        const targets = [context.getHandler(), context.getClass()];
        if (this.reflector.getAllAndOverride(ANY_CONTENT, targets))
            return true;
        const produces = this.reflector.getAllAndOverride(PRODUCES, targets);
        checkAccept(request, produces ?? [JSON_TYPE]);
        const known = this.reflector.getAllAndOverride(QUERY, targets);
        if (known !== 'any')
            checkParameters(request, known ?? []);
        const fault = bodyFaultOf(request);
        if (fault)
            throw fault;
        if (request.method === 'PATCH' && !hasBody(request))
            throw unsupportedMediaType(`${JSON_PATCH_TYPE} or ${JSON_TYPE}, in UTF-8`, {
                'Accept-Patch': `${JSON_PATCH_TYPE}, ${JSON_TYPE}`,
            });
        return true;
    }
};
ContentGuard = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Reflector])
], ContentGuard);
export { ContentGuard };
function checkAccept(request, produces) {
    const accept = request.headers.accept;
    const offered = request.method === 'PATCH' ? [JSON_PATCH_TYPE, ...produces] : produces;
    if (!offered.some((mediaType) => admits(accept, mediaType)))
        throw notAcceptable(offered.join(' or '));
}
function checkParameters(request, known) {
    const query = queryOf(request);
    const bad = [...query].flatMap(([name, values]) => {
        if (!known.includes(name))
            return [{ name, message: `unknown parameter; known: ${known.join(', ') || 'none'}` }];
        return values.length > 1 ? [{ name, message: 'given more than once' }] : [];
    });
    if (bad.length > 0)
        throw invalid(bad);
}
//# sourceMappingURL=content.guard.js.map