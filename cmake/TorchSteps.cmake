# twofold_torch_step(NAME …): a step whose files name torch. Its headers take 19 s and 1 GB to compile, so all files
# share one precompiled header; and they are not warning-free under our flags, so they count as system headers.
find_package(Torch REQUIRED)

function(twofold_torch_step name)
  twofold_step(${name} ${ARGN})
  set_target_properties(twofold_${name} PROPERTIES UNITY_BUILD OFF)  # a gigabyte per file is enough
  target_include_directories(twofold_${name} SYSTEM PUBLIC ${TORCH_INCLUDE_DIRS})
  target_link_libraries(twofold_${name} PUBLIC ${TORCH_LIBRARIES})
  target_precompile_headers(twofold_${name} PRIVATE <torch/torch.h>)
endfunction()
