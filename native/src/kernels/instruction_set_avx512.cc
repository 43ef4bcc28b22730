#include "kernels/instruction_set_body.h"
