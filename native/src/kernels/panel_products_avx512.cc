#include "kernels/panel_products_body.h"
