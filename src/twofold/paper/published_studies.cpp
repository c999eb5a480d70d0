#include <cmath>

#include "twofold/paper/published.h"

namespace twofold::paper {

const std::vector<DepthPoint>& published_depths() {
  static const std::vector<DepthPoint> all = {
      {1,
       {{64.7628, 13.1734},
        {73.9173, 2.6065},
        {72.7727, 3.2759},
        {78.941, 4.1681},
        {76.25, 2.452},
        {71, 2.2361}},
       {{88.2794, 6.8511},
        {76.7167, 1.1951},
        {76.4947, 3.5645},
        {94.7799, 7.9682},
        {81.679, 3.6192},
        {71.7407, 1.3336}}},
      {2,
       {{59.1107, 13.129},
        {81.3139, 2.2215},
        {74.0275, 3.6498},
        {78.3471, 4.3925},
        {80.5, 1.4491},
        {70.4, 2.9052}},
       {{92.9997, 6.1932},
        {88.3028, 3.0174},
        {86.0854, 10.7973},
        {96.8239, 4.8572},
        {94.9753, 3.0266},
        {78.9877, 6.5306}}},
      {3,
       {{56.9368, 11.1391},
        {84.7689, 1.622},
        {73.043, 2.3777},
        {78.7701, 4.3317},
        {78, 2.7111},
        {72.9, 2.5475}},
       {{98.0452, 1.6876},
        {97.5819, 2.5695},
        {79.5247, 10.3665},
        {95.1258, 6.3308},
        {94.3642, 1.918},
        {82, 6.154}}},
      {4,
       {{60.4348, 10.7018},
        {84.9635, 1.8169},
        {73.0438, 2.5669},
        {78.5144, 4.2566},
        {77.7, 2.7495},
        {72.6, 2.4166}},
       {{99.7283, 0.5011},
        {97.2544, 3.0053},
        {79.3805, 9.481},
        {95.1153, 7.8224},
        {95.4753, 1.9162},
        {83.3951, 6.6968}}},
      {5,
       {{62.6087, 11.177},
        {85.4258, 2.0312},
        {73.314, 2.1847},
        {77.7517, 4.3447},
        {77.3, 3.6688},
        {72.7, 2.2383}},
       {{100, 0},
        {98.1706, 1.7034},
        {81.9776, 11.4606},
        {97.7463, 5.8187},
        {96.3827, 1.5813},
        {84.4568, 6.0832}}},
  };
  return all;
}

const std::vector<RadiusPoint>& published_radii() {
  static const std::vector<RadiusPoint> all = {
      {false,
       1,
       {{91.0935, 4.8063},
        {65.8012, 3.4007},
        {74.569, 3.3732},
        {70.5536, 3.6039},
        {73.35, 3.9097},
        {70.2667, 3.8349}},
       {{97.2894, 2.3035},
        {67.9011, 1.474},
        {79.0684, 2.1799},
        {73.0874, 2.6603},
        {73.3724, 2.3881},
        {70.163, 1.0372}}},
      {false,
       2,
       {{90.6851, 4.7354},
        {kNone, kNone},
        {kNone, kNone},
        {72.8957, 2.6274},
        {kNone, kNone},
        {70.1333, 3.2599}},
       {{97.8292, 1.0158},
        {kNone, kNone},
        {kNone, kNone},
        {78.5075, 2.4505},
        {kNone, kNone},
        {70.7481, 3.3332}}},
      {false,
       4,
       {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {70.8667, 3.4}},
       {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {71.4185, 2.0045}}},
      {false,
       5,
       {{kNone, kNone}, {kNone, kNone}, {75.5775, 6.0283}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}},
       {{kNone, kNone}, {kNone, kNone}, {78.212, 3.9869}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}}},
      {false,
       6,
       {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {68.4667, 3.0485}},
       {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {69.6926, 3.3565}}},
      {false,
       8,
       {{kNone, kNone}, {70.8036, 3.2134}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {69.8667, 4.4302}},
       {{kNone, kNone}, {74.3989, 2.5047}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {70.6222, 3.3769}}},
      {true,
       1,
       {{94.4664, 4.6671},
        {65.0418, 4.0738},
        {74.6557, 2.4418},
        {70.1558, 2.4229},
        {77.1333, 3.0146},
        {71.7333, 2.9204}},
       {{98.77, 1.0982},
        {66.8456, 1.5716},
        {79.2706, 2.9294},
        {73.271, 3.4966},
        {77.9095, 1.8203},
        {71.5407, 1.9229}}},
      {true,
       2,
       {{90.9486, 5.1308},
        {kNone, kNone},
        {kNone, kNone},
        {74.3365, 2.3647},
        {kNone, kNone},
        {71.1667, 3.4553}},
       {{97.9917, 0.4667},
        {kNone, kNone},
        {kNone, kNone},
        {79.8112, 3.2449},
        {kNone, kNone},
        {70.9259, 2.7448}}},
      {true,
       4,
       {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {72.1667, 3.1172}},
       {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {72.237, 1.5826}}},
      {true,
       5,
       {{kNone, kNone}, {kNone, kNone}, {76.1914, 3.2854}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}},
       {{kNone, kNone}, {kNone, kNone}, {78.9261, 1.6774}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}}},
      {true,
       6,
       {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {70.7333, 2.2794}},
       {{kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {71.5556, 2.2212}}},
      {true,
       8,
       {{kNone, kNone}, {70.2236, 4.3373}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {69.9667, 4.503}},
       {{kNone, kNone}, {73.757, 3.5823}, {kNone, kNone}, {kNone, kNone}, {kNone, kNone}, {71.6667, 2.9464}}},
  };
  return all;
}

std::vector<int> published_radii_of(std::size_t dataset) {
  std::vector<int> radii;
  for (const RadiusPoint& point : published_radii())
    if (!point.is_weighted && !std::isnan(point.test[dataset].mean)) radii.push_back(point.radius);
  return radii;
}

const std::vector<PublishedStatistics>& published_statistics() {
  static const std::vector<PublishedStatistics> all = {
      {228, 6, 18.3, 32, 5, 52.1, 164, 0, 2, 0, 5.7, 2.8, 19, 2.3, 0.5},
      {4110, 3, 29.9, 111, 2, 32.3, 119, 0, 37, 0, 2.2, 0.8, 4, 7.0, 2.8},
      {1113, 4, 39.1, 620, 5, 72.8, 1049, 29, 3, 0, 3.7, 1.1, 25, 6.1, 4.0},
      {1178, 30, 284.3, 5748, 63, 715.7, 14267, 0, 89, 1, 5.0, 1.7, 19, 10.8, 3.8},
      {2000, 6, 429.6, 3782, 4, 497.8, 4071, 0, 1, 0, 2.3, 20.7, 3062, 4.6, 1.6},
      {1000, 12, 19.8, 136, 26, 96.5, 1249, 0, 1, 1, 9.8, 7.4, 135, 1.0, 0.0},
  };
  return all;
}

const std::vector<EpochTimes>& published_times_over_nodes() {
  static const std::vector<EpochTimes> all = {
      {16, 18.834, {20.915, 21.789, 21.885}},         {32, 19.174, {23.836, 22.947, 23.231}},
      {64, 19.626, {24.171, 25.579, 26.74}},          {128, 20.221, {25.347, 30.12, 34.105}},
      {256, 21.854, {31.127, 39.408, 47.06}},         {512, 24.745, {40.476, 58.597, 75.59}},
      {1024, 30.536, {61.679, 97.32, 138.301}},       {2048, 42.814, {113.788, 177.064, 259.117}},
      {4096, 67.015, {203.161, 344.523, 463.417}},    {8192, 114.041, {358.902, 547.176, 757.255}},
      {16384, 190.509, {529.462, 907.616, 1434.775}},
  };
  return all;
}

const std::vector<EpochTimes>& published_times_over_degree() {
  static const std::vector<EpochTimes> all = {
      {2, 30.536, {61.679, 97.32, 138.301}},    {3, 31.264, {75.439, 161.787, 277.628}},
      {4, 31.61, {89.51, 274.984, 653.013}},    {5, 32.318, {99.968, 478.16, 1150.462}},
      {6, 33.56, {117.261, 683.839, 1953.404}},
  };
  return all;
}

const std::vector<RealEpochTimes>& published_real_times() {
  static const std::vector<RealEpochTimes> all = {{0, 0, 0},        {198, 228, 964}, {206, 262, 670},
                                                  {514, 765, 1386}, {804, 1081, 0},  {61, 96, 239}};
  return all;
}

}  // namespace twofold::paper
