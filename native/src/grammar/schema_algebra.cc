#include <algorithm>

#include "base/coded_error.h"
#include "grammar/number_language.h"
#include "grammar/schema_limits.h"
#include "grammar/schema_shapes.h"

using namespace schema_limits;

namespace {

// The depth to which properties are compared to distinguish the branches of a oneOf.
constexpr int kExclusionDepthMax = 3;

std::optional<Conjunction> joined(const std::optional<Conjunction>& a, const std::optional<Conjunction>& b) {
  if (!a || !b) return std::nullopt;
  return joined(*a, *b);
}

bool unconstrained(const ArrayShape& array) {
  return array.prefix.empty() && array.rest && array.rest->empty() && array.min == 0 && array.max == kNoBound &&
         !array.unique;
}

bool unconstrained(const ObjectShape& object) {
  return object.properties.empty() && object.patterns.empty() && object.additional && object.additional->empty() &&
         !object.names && object.min == 0 && object.max == kNoBound;
}

}  // namespace

void add_schema(Conjunction& schemas, const JsonValue* schema) {
  if (schema->is_boolean() && schema->boolean) return;
  const auto at = std::lower_bound(schemas.begin(), schemas.end(), schema);
  if (at == schemas.end() || *at != schema) schemas.insert(at, schema);
}

Conjunction joined(const Conjunction& a, const Conjunction& b) {
  Conjunction both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

const ObjectShape::Property* ObjectShape::find(const std::string& name) const {
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [&](const Property& property) { return property.name == name; });
  return found == properties.end() ? nullptr : &*found;
}

Shape Shape::any() {
  Shape shape;
  shape.null = shape.yes = shape.no = true;
  shape.number.emplace();
  shape.string.emplace();
  shape.array.emplace();
  shape.object.emplace();
  return shape;
}

std::optional<Conjunction> SchemaDocument::schemas_of_member(const ObjectShape& object, const std::string& name) {
  if (object.names && !object.names->matches(name)) return std::nullopt;
  std::optional<Conjunction> schemas;
  for (const ObjectShape::Pattern& pattern : object.patterns) {
    if (pattern.names->matches(name)) schemas = joined(schemas.value_or(Conjunction{}), pattern.schemas);
  }
  return schemas ? schemas : object.additional;
}

Shapes SchemaDocument::intersect(const Shapes& a, const Shapes& b) {
  Shapes result;
  for (const Shape& of_a : a) {
    for (const Shape& of_b : b) {
      budget_.spend(20);
      Shape both = intersect(of_a, of_b);
      if (both.empty()) continue;
      result.push_back(std::move(both));
      if (result.size() > kAlternativesMax)
        refuse_last("", "its combinations make more than " + std::to_string(kAlternativesMax) + " alternatives");
    }
  }
  return result;
}

const CharDfa& SchemaDocument::decimals(const NumberShape& number) const {
  return number.language ? *number.language : number.integral ? integral_numbers() : decimal_numbers();
}

CharDfa SchemaDocument::texts(const StringShape& string) {
  if (string.min == 0 && string.max == kNoBound) return string.language.value_or(CharDfa::everything());
  const CharDfa lengths = CharDfa::length(string.min, string.max, budget_);
  return string.language ? string.language->intersect(lengths, budget_) : lengths;
}

Shape SchemaDocument::intersect(const Shape& a, const Shape& b) {
  Shape both;
  both.typed = a.typed || b.typed;
  both.about_number = a.about_number || b.about_number;
  both.about_string = a.about_string || b.about_string;
  both.about_array = a.about_array || b.about_array;
  both.about_object = a.about_object || b.about_object;
  both.null = a.null && b.null;
  both.yes = a.yes && b.yes;
  both.no = a.no && b.no;
  if (a.number && b.number) {
    if (!a.number->language && !b.number->language) {
      both.number = NumberShape{std::nullopt, a.number->integral || b.number->integral};
    } else {
      both.number = NumberShape{};
      // A number in a schema may have an exponent, which the languages of decimals lack.
      const bool any_a = !a.number->language && !a.number->integral, any_b = !b.number->language && !b.number->integral;
      both.number->language = any_a   ? *b.number->language
                              : any_b ? *a.number->language
                                      : decimals(*a.number).intersect(decimals(*b.number), budget_);
      if (both.number->language->empty()) both.number.reset();
    }
  }
  if (a.string && b.string) {
    both.string.emplace();
    both.string->min = std::max(a.string->min, b.string->min);
    both.string->max = std::min(a.string->max, b.string->max);
    if (a.string->language && b.string->language)
      both.string->language = a.string->language->intersect(*b.string->language, budget_);
    else {
      const StringShape& one = a.string->language ? *a.string : *b.string;
      both.string->language = one.language;
      both.string->source = one.source;
    }
    if (both.string->min > both.string->max || (both.string->language && both.string->language->empty()))
      both.string.reset();
  }
  if (a.array && b.array) {
    both.array = a.array;
    ArrayShape& array = *both.array;
    const ArrayShape& other = *b.array;
    array.min = std::max(array.min, other.min);
    array.max = std::min(array.max, other.max);
    array.has_min |= other.has_min;
    array.unique |= other.unique;
    const size_t length = std::max(array.prefix.size(), other.prefix.size());
    std::vector<Conjunction> prefix;
    for (size_t index = 0; index < length; ++index) {
      const auto at = [&](const ArrayShape& of) {
        return index < of.prefix.size() ? std::optional(of.prefix[index]) : of.rest;
      };
      const std::optional<Conjunction> schemas = joined(at(array), at(other));
      if (!schemas) {
        array.max = std::min(array.max, static_cast<uint32_t>(index));
        break;
      }
      prefix.push_back(*schemas);
    }
    array.prefix = std::move(prefix);
    array.rest = joined(array.rest, other.rest);
    if (array.min > array.max) both.array.reset();
  }
  if (a.object && b.object) {
    both.object = a.object;
    intersect(*both.object, *b.object);
    if (both.object->min > both.object->max) both.object.reset();
  }
  return both;
}

void SchemaDocument::intersect(ObjectShape& object, const ObjectShape& other) {
  budget_.spend(object.properties.size() * other.properties.size() / 8 + object.properties.size() +
                other.properties.size());
  const JsonValue* nothing = nullptr;
  const auto never = [&]() {
    if (nothing == nullptr) nothing = keep(JsonValue{JsonValue::Type::kBoolean, false, 0, "", {}, {}});
    return Conjunction{nothing};
  };
  for (ObjectShape::Property& property : object.properties) {
    if (const ObjectShape::Property* twin = other.find(property.name)) {
      property.schemas = joined(property.schemas, twin->schemas);
      property.required |= twin->required;
    } else {
      property.schemas = joined(property.schemas, schemas_of_member(other, property.name).value_or(never()));
    }
  }
  const size_t known = object.properties.size();
  for (const ObjectShape::Property& property : other.properties) {
    const auto end = object.properties.begin() + static_cast<std::ptrdiff_t>(known);
    if (std::any_of(object.properties.begin(), end, [&](const auto& twin) { return twin.name == property.name; }))
      continue;
    object.properties.push_back({property.name,
                                 joined(property.schemas, schemas_of_member(object, property.name).value_or(never())),
                                 property.required});
  }
  if (object.properties.size() > kPropertiesMax)
    refuse_last("", "its combinations have more than " + std::to_string(kPropertiesMax) + " properties");
  object.patterns.insert(object.patterns.end(), other.patterns.begin(), other.patterns.end());
  if (object.patterns.size() > kPatternPropertiesMax)
    refuse_last("patternProperties", "may have " + std::to_string(kPatternPropertiesMax) + " patterns");
  object.additional = joined(object.additional, other.additional);
  object.additional_written |= other.additional_written;
  object.lists_properties |= other.lists_properties;
  if (object.names && other.names) object.names = object.names->intersect(*other.names, budget_);
  else if (other.names) object.names = other.names;
  object.min = std::max(object.min, other.min);
  object.max = std::min(object.max, other.max);
}

Shape SchemaDocument::complement(const Shape& shape) {
  Shape rest;
  rest.typed = true;
  rest.null = !shape.null;
  rest.yes = !shape.yes;
  rest.no = !shape.no;
  if (!shape.number) rest.number.emplace();
  else if (shape.number->language || shape.number->integral) {
    rest.number = NumberShape{decimal_numbers().intersect(decimals(*shape.number).complement(budget_), budget_)};
    if (rest.number->language->empty()) rest.number.reset();
  }
  if (!shape.string) rest.string.emplace();
  else {
    rest.string = StringShape{texts(*shape.string).complement(budget_), ""};
    if (rest.string->language->empty()) rest.string.reset();
  }
  if (!shape.array) rest.array.emplace();
  else if (!unconstrained(*shape.array)) refuse_last("not", "arrays can only be excluded altogether");
  if (!shape.object) rest.object.emplace();
  else if (!unconstrained(*shape.object)) refuse_last("not", "objects can only be excluded altogether");
  return rest;
}

Shapes SchemaDocument::exactly_one(const JsonValue& schema, const JsonValue& branches, int depth) {
  std::vector<Shapes> all;
  for (const JsonValue& branch : branches.items) all.push_back(shapes(branch, depth));
  last_ = &schema;
  Shapes result;
  for (size_t branch = 0; branch < all.size(); ++branch) {
    for (Shape shape : all[branch]) {
      for (size_t other = 0; other < all.size(); ++other) {
        if (other == branch) continue;
        for (const Shape& twin : all[other]) {
          budget_.spend(50);
          if (excluded(shape, twin, 0)) continue;
          // Values without structure can be excluded.
          Shape scalars = twin;
          const bool arrays = shape.array && twin.array, objects = shape.object && twin.object;
          Shape arrays_only, objects_only;
          arrays_only.array = arrays ? shape.array : std::nullopt;
          objects_only.object = objects ? shape.object : std::nullopt;
          if ((arrays && !excluded(arrays_only, twin, 0)) || (objects && !excluded(objects_only, twin, 0))) {
            refuse(&schema, "oneOf",
                   "branches " + std::to_string(std::min(branch, other)) + " and " +
                       std::to_string(std::max(branch, other)) +
                       " may both hold: use anyOf, or give them a property with different constants");
          }
          scalars.array.reset();
          scalars.object.reset();
          Shape outside = complement(scalars);
          outside.typed = false;
          shape = intersect(shape, outside);
        }
      }
      if (!shape.empty()) result.push_back(std::move(shape));
      if (result.size() > kAlternativesMax)
        refuse(&schema, "oneOf", "these branches make more than " + std::to_string(kAlternativesMax) + " alternatives");
    }
  }
  return result;
}

bool SchemaDocument::excluded(const Shape& a, const Shape& b, int depth) {
  if ((a.null && b.null) || (a.yes && b.yes) || (a.no && b.no)) return false;
  if (a.number && b.number && !decimals(*a.number).intersect(decimals(*b.number), budget_).empty()) return false;
  if (a.string && b.string) {
    if (!a.string->language && !b.string->language &&
        (a.string->min > b.string->max || b.string->min > a.string->max)) {
      // Their lengths differ.
    } else if (!texts(*a.string).intersect(texts(*b.string), budget_).empty()) {
      return false;
    }
  }
  if (a.array && b.array) {
    const auto least = [](const ArrayShape& array) {
      return array.has_min ? array.min : std::max<size_t>(array.min, array.prefix.size());
    };
    bool apart = least(*a.array) > b.array->max || b.array->min > a.array->max;
    const size_t both =
        std::min({a.array->prefix.size(), b.array->prefix.size(), static_cast<size_t>(least(*a.array))});
    for (size_t index = 0; !apart && depth < kExclusionDepthMax && index < both; ++index) {
      const Shapes of_a = shapes(a.array->prefix[index], 0), of_b = shapes(b.array->prefix[index], 0);
      apart = std::all_of(of_a.begin(), of_a.end(), [&](const Shape& one) {
        return std::all_of(of_b.begin(), of_b.end(), [&](const Shape& two) { return excluded(one, two, depth + 1); });
      });
    }
    if (!apart) return false;
  }
  return !(a.object && b.object) || excluded(*a.object, *b.object, depth);
}

bool SchemaDocument::excluded(const ObjectShape& a, const ObjectShape& b, int depth) {
  // Unless the schema mentions others, answers have only the listed properties.
  const bool closed = !a.additional || (!a.additional_written && !(a.properties.empty() && a.patterns.empty()));
  for (const ObjectShape::Property& property : b.properties) {
    if (property.required && closed && a.patterns.empty() && a.find(property.name) == nullptr) return true;
  }
  for (const ObjectShape::Property& property : a.properties) {
    budget_.spend(10);
    if (!property.required) continue;
    const ObjectShape::Property* twin = b.find(property.name);
    const std::optional<Conjunction> schemas = twin != nullptr ? twin->schemas : schemas_of_member(b, property.name);
    if (!schemas) return true;
    if (schemas->empty() || depth >= kExclusionDepthMax) continue;
    const JsonValue* before = last_;
    const Shapes of_a = shapes(property.schemas, 0), of_b = shapes(*schemas, 0);
    last_ = before;
    if (std::all_of(of_a.begin(), of_a.end(), [&](const Shape& one) {
          return std::all_of(of_b.begin(), of_b.end(), [&](const Shape& two) { return excluded(one, two, depth + 1); });
        })) {
      return true;
    }
  }
  return false;
}
