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
import { Body, Controller, Get, Param, Put, Req } from '@nestjs/common';
import { invalidField, notFound } from '../errors/refusals.js';
import { FIRST_PAGE } from '../listing/list-request.js';
import { AnyParameters, KnownParameters } from '../negotiation/content.guard.js';
import { queryOf } from '../negotiation/query-string.js';
import { satisfies, validateBody } from '../negotiation/validate-body.js';
import { answerList, ListOf } from '../resources/list-of.decorator.js';
import { ResourceReader } from '../resources/resource-reader.js';
import { CurrentCaller } from '../security/caller.js';
import { RequestOrigin } from '../security/origin.js';
import { SysadminOnly } from '../security/roles.guard.js';
import { parameters, typedValue } from './parameter.resource.js';
import { ServerParametersService } from './server-parameters.service.js';
/** `PUT /administration/parameters/{key}` */
class ParameterChange {
    value;
}
__decorate([
    satisfies((value) => ['string', 'number', 'boolean'].includes(typeof value) ? undefined : 'must be given'),
    __metadata("design:type", Object)
], ParameterChange.prototype, "value", void 0);
/** decisions: GET, PUT /api/v2/administration/parameters[/{key}] */
let ParametersController = class ParametersController {
    reader;
    parameters;
    constructor(reader, parameters) {
        this.reader = reader;
        this.parameters = parameters;
    }
    list(call) {
        return answerList(this.reader, parameters, call);
    }
    get(caller, key) {
        return this.read(caller, this.parameters.definitionOf(key));
    }
    async set(caller, origin, request, key, body) {
        const definition = this.parameters.definitionOf(key);
        const force = forceOf(request);
        const { value } = validateBody(ParameterChange, body);
        await this.parameters.set(definition, textOf(definition, value), origin, { force });
        return this.read(caller, definition);
    }
    async read(caller, { key }) {
        const { items } = await this.reader.list(parameters, caller, FIRST_PAGE, (bind) => `t.key = ${bind(key)}`);
        if (!items[0])
            throw notFound();
        return items[0];
    }
};
__decorate([
    Get(),
    AnyParameters(),
    __param(0, ListOf(parameters)),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object]),
    __metadata("design:returntype", Promise)
], ParametersController.prototype, "list", null);
__decorate([
    Get(':key'),
    __param(0, CurrentCaller()),
    __param(1, Param('key')),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, String]),
    __metadata("design:returntype", Promise)
], ParametersController.prototype, "get", null);
__decorate([
    Put(':key'),
    KnownParameters('force'),
    __param(0, CurrentCaller()),
    __param(1, RequestOrigin()),
    __param(2, Req()),
    __param(3, Param('key')),
    __param(4, Body()),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", [Object, Object, Object, String, Object]),
    __metadata("design:returntype", Promise)
], ParametersController.prototype, "set", null);
ParametersController = __decorate([
    Controller('api/v2/administration/parameters'),
    SysadminOnly(),
    __metadata("design:paramtypes", [ResourceReader,
        ServerParametersService])
], ParametersController);
export { ParametersController };
/** A value of another JSON type than the parameter's is no value of it. */
function textOf({ type }, value) {
    const text = String(value);
    if (typeof typedValue(type, text) === typeof value)
        return text;
    const expected = type === 'integer' ? 'a number' : type === 'boolean' ? 'true or false' : 'a text';
    throw invalidField('value', `expected ${expected}`);
}
function forceOf(request) {
    const [force = 'false'] = queryOf(request).get('force') ?? [];
    if (force !== 'true' && force !== 'false')
        throw invalidField('force', 'expected true or false');
    return force === 'true';
}
//# sourceMappingURL=parameters.controller.js.map