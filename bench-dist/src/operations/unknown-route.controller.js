var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { All, Controller, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { methodNotAllowed, notFound } from '../errors/refusals.js';
import { AnyContent } from '../negotiation/content.guard.js';
import { Public } from '../security/roles.guard.js';
const EVERYTHING = '/*splat';
/** Answers what no other route does: 405 with Allow when the path has other methods, else 404. */
let UnknownRouteController = class UnknownRouteController {
    host;
    constructor(host) {
        this.host = host;
    }
    refuse(request) {
        const methods = this.methodsOf(request.path);
        throw methods.length > 0 ? methodNotAllowed(methods) : notFound();
    }
    methodsOf(path) {
        const express = this.host.httpAdapter.getInstance();
        const layers = express.router.stack;
        const methods = layers
            .filter(({ route }) => route !== undefined && route.path !== EVERYTHING)
            .filter((layer) => layer.match(path))
            .flatMap(({ route }) => Object.keys(route.methods).map((method) => method.toUpperCase()));
        return [
            ...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
        ];
    }
};
__decorate([
    All('*splat'),
    __param(0, Req()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", void 0)
], UnknownRouteController.prototype, "refuse", null);
UnknownRouteController = __decorate([
    Controller(),
    Public(),
    AnyContent(),
    __metadata("design:paramtypes", [HttpAdapterHost])
], UnknownRouteController);
export { UnknownRouteController };
//# sourceMappingURL=unknown-route.controller.js.map