//! What the lowered text of decorators calls; `packages/runtime/load/decorators.cjs` says what each does.

use crate::helpers;

helpers! { DECORATORS:
    LEGACY_KEY = "legacyKey";
    LEGACY_MEMBER = "legacyMember";
    LEGACY_END = "legacyEnd";
    LEGACY_CLASS = "legacyClass";
    LEGACY_PARAMETER = "legacyParameter";
    EVALUATED_DECORATORS = "decorators";
    SAME_KEY = "sameKey";
    DECORATE = "decorate";
    DECORATED = "decorated";
    DECORATED_FIELD = "field";
    BEHIND_FIELD = "behind";
    DECORATED_INSTANCE = "instance";
}
