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
import { createHash } from 'node:crypto';
import { Controller, Get, Res } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Config } from '../config/config.js';
import { Produces } from '../negotiation/content.guard.js';
import { controllerOf } from '../resources/resource-controller.js';
import { Public } from '../security/roles.guard.js';
import { describeApi } from './api-description.js';
import { REFERENCE_STYLE, renderReference } from './reference-page.js';
const STYLE_DIGEST = createHash('sha256').update(REFERENCE_STYLE).digest('base64');
/** The API description, generated from the code, for programs and for people. */
let DescriptionController = class DescriptionController {
    config;
    discovery;
    made;
    constructor(config, discovery) {
        this.config = config;
        this.discovery = discovery;
    }
    description() {
        return (this.made ??= describeApi(this.config.env.BASE_PATH, (one) => this.rulesOf(one)));
    }
    page(response) {
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.setHeader('Content-Security-Policy', `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`);
        response.end(renderReference(this.description()));
    }
    rulesOf(resource) {
        const instances = this.discovery.getControllers().map(({ instance }) => instance);
        return controllerOf(resource, instances)?.rules ?? {};
    }
};
__decorate([
    Get('openapi.json'),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", Object)
], DescriptionController.prototype, "description", null);
__decorate([
    Get('reference'),
    Produces('text/html'),
    __param(0, Res()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", void 0)
], DescriptionController.prototype, "page", null);
DescriptionController = __decorate([
    Controller('api/v2'),
    Public(),
    __metadata("design:paramtypes", [Config,
        DiscoveryService])
], DescriptionController);
export { DescriptionController };
//# sourceMappingURL=description.controller.js.map